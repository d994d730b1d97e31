import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { down, halftone } from './halftone.ts'
import { slimPath } from './slim-path.ts'
import { linear, paper, path, radial, rect, svg } from './svg.ts'

/** The ground an item stands on. */
type Tone = 'gate' | 'peak' | 'phoenix' | 'gold' | 'violet'

const tones: Readonly<
  Record<Tone, { readonly dark: string; readonly light: string; readonly dot: string; readonly beam: string }>
> = {
  gate: { dark: '#0B1030', light: '#1E3299', dot: '#3B5EF5', beam: '#A9B9FF' },
  peak: { dark: '#051A14', light: '#0A5C46', dot: '#14A27C', beam: '#9FF0D6' },
  phoenix: { dark: '#240A05', light: '#8A2410', dot: '#DB4522', beam: '#FFC2A8' },
  gold: { dark: '#191204', light: '#6B4E0C', dot: '#B98A1C', beam: '#FFE9A8' },
  violet: { dark: '#140A28', light: '#46278F', dot: '#7B4FE0', beam: '#D7C2FF' },
}

interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
}

let set: IconSet | undefined

/** An icon of game-icons.net (CC BY 3.0) as slim path data on a 512 grid. Throws on a name the set does not have. */
export function iconPath(name: string): string {
  set ??= JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('@iconify-json/game-icons/icons.json'), 'utf8'),
  ) as IconSet
  const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? '']
  if (!icon) throw new Error(`game-icons has no "${name}"`)
  return [...icon.body.matchAll(/ d="([^"]+)"/g)].map((match) => slimPath(match[1] ?? '')).join('')
}

/** An item on its lit stage, 240×120: a cone from above, halftone on the floor, the thing itself in paper. */
export function itemPicture(icon: string, tone: Tone): string {
  const { dark, light, dot, beam } = tones[tone]
  return svg(
    240,
    120,
    `<defs>${radial('g', 120, 100, 130, [
      [0, light],
      [1, dark],
    ])}${radial('d', 120, 116, 135, [
      [0.2, dot],
      [1, dark],
    ])}${linear(
      'c',
      [0, 0, 0, 1],
      [
        [0, beam, 0.38],
        [1, beam, 0.04],
      ],
    )}</defs>` +
      rect(0, 0, 240, 120, 'url(#g)') +
      // Rows of equal dots cost next to nothing; the sides darken by the dots' paint, not by their size.
      halftone({ y: 60, width: 240, height: 60, pitch: 7, steps: 7 }, 'url(#d)', down(60, 130)) +
      path('M92 0h56l42 120H50z', 'url(#c)') +
      `<ellipse cx="120" cy="105" rx="38" ry="4" fill="#000" opacity=".35"/><path fill="${paper}" transform="translate(78.5 15) scale(.162)" d="${iconPath(icon)}"/>`,
  )
}
