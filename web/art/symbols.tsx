import { SCHOOLS } from '#contract/game.ts'
import type { ThemeSlot } from '#contract/theme.ts'
import {
  type CrestPart,
  crestShapes,
  type EmblemName,
  emblemShapes,
  markShapes,
  SCHOOL_PAINTS,
  type School,
} from '#contract/theme-shapes.ts'

/** Returns the page's custom property for a paint, with the plain color as its fallback. */
const getPaint = (school: School, paint: CrestPart['paint']) =>
  `var(--${SCHOOLS[school].key}-${paint},${SCHOOL_PAINTS[school][paint]})`

const schools = [0, 1, 2] as const
const ink = 'var(--ink,#0a0c13)'

/** Pictures that replace the default drawings, by their slots in a theme. */
type Pictures = Readonly<Partial<Record<ThemeSlot, readonly string[]>>>

const CREST_SLOTS = ['crest_gate', 'crest_peak', 'crest_phoenix'] as const

/** The hidden sprite for all crests, emblems and marks. Render it once, first in the body. */
export function ArtSprite({ pictures = {} }: { pictures?: Pictures | undefined }) {
  const { logo: [logo] = [], mark_rcoin: [rcoin] = [], mark_milleage: [milleage] = [] } = pictures
  return (
    <svg aria-hidden="true" width="0" height="0" display="block" focusable="false">
      {Object.entries(emblemShapes).map(([name, shape]) => {
        const pictureUrl = pictures[`emblem_${name as EmblemName}`]?.[0]
        if (pictureUrl !== undefined)
          return (
            <symbol key={name} id={`emblem-${name}`} viewBox="0 0 48 48">
              <image href={pictureUrl} width="48" height="48" style={{ opacity: 'var(--emblem-shade,1)' }} />
            </symbol>
          )
        return (
          <symbol
            key={name}
            id={`emblem-${name}`}
            viewBox="0 0 48 48"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.6"
            strokeMiterlimit="6"
          >
            <path d={shape.mark} fill="var(--emblem-fill,none)" />
            <path d={shape.line} />
          </symbol>
        )
      })}
      {schools.map((school) => (
        <symbol key={school} id={`crest-${school}`} viewBox="0 0 64 76" fill="none">
          <CrestDrawing school={school} pictureUrl={pictures[CREST_SLOTS[school]]?.[0]} />
        </symbol>
      ))}
      <symbol id="mark-rcoin" viewBox="0 0 24 24">
        {rcoin === undefined ? (
          <>
            {/* Sixteen teeth: a dashed ring whose dashes and gaps are 1/32 of its length. */}
            <circle cx="12" cy="12" r="10.5" fill="var(--rcoin,#ffb81c)" />
            <circle
              cx="12"
              cy="12"
              r="10.4"
              fill="none"
              stroke="var(--rcoin,#ffb81c)"
              strokeWidth="2.2"
              strokeDasharray="2.042"
            />
            <circle cx="12" cy="12" r="8.2" fill={ink} />
            <path d={markShapes.coinLetter} fill="var(--rcoin,#ffb81c)" fillRule="evenodd" />
          </>
        ) : (
          <image href={rcoin} width="24" height="24" />
        )}
      </symbol>
      <symbol id="mark-milleage" viewBox="0 0 24 24">
        {milleage === undefined ? (
          <>
            <path d={markShapes.ticket} fill="var(--milleage,#8fdcf5)" />
            <path d={markShapes.ticketLetter} fill={ink} />
          </>
        ) : (
          <image href={milleage} width="24" height="24" />
        )}
      </symbol>
      <symbol id="logo" viewBox="0 0 48 44">
        {logo === undefined ? (
          <>
            <path d={markShapes.plate} fill="var(--signal,#ffd21f)" />
            <path d={markShapes.shed} fill={ink} fillRule="evenodd" />
          </>
        ) : (
          <image href={logo} width="48" height="44" />
        )}
      </symbol>
    </svg>
  )
}

function CrestDrawing({ school, pictureUrl }: { school: School; pictureUrl: string | undefined }) {
  if (pictureUrl !== undefined) return <image href={pictureUrl} width="64" height="76" />
  return crestShapes[school].map((part) =>
    part.line ? (
      <path key={part.d} d={part.d} stroke={getPaint(school, part.paint)} strokeWidth={part.line} />
    ) : (
      <path key={part.d} d={part.d} fill={getPaint(school, part.paint)} />
    ),
  )
}
