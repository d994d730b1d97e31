/** What a section of the game system is made of. Texts may hold `[links](/path)` and `**strong words**`. */
export type SystemBlock =
  | { kind: 'text'; text: string }
  | { kind: 'list'; lines: readonly string[] }
  | { kind: 'table'; caption: string; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'figure'; figure: FigureName }
  | { kind: 'note'; text: string }

/** The drawn figures, one component each in `system-figures.tsx`. */
export type FigureName =
  | 'levels'
  | 'fight'
  | 'areas'
  | 'schools'
  | 'resu'
  | 'mmr'
  | 'channels'
  | 'purses'
  | 'parcel'
  | 'refining'
  | 'month'

export type SystemSection = {
  /** Its anchor. */
  id: string
  title: string
  /** The one sentence to remember. */
  lead: string
  blocks: readonly SystemBlock[]
}
