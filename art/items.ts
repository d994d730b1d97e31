import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { down, halftone } from './halftone.ts'
import { linear, paper, path, radial, rect, signal, svg } from './svg.ts'

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

/** How many numbers each SVG path command takes. */
const arity: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }

/**
 * The same path in whole units and relative commands. Every point is rounded where it stands, so errors do not add up.
 * On a 512 grid shown at 84 px half a unit is less than a tenth of a pixel.
 */
export function slimPath(d: string): string {
  const tokens = d.match(/[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/g) ?? []
  let i = 0
  let command = ''
  let out = ''
  let written = ''
  // The exact pen and the rounded one.
  let [x, y, startX, startY, penX, penY] = [0, 0, 0, 0, 0, 0]
  const put = (name: string, values: readonly number[]) => {
    const text = values
      .map((value) => String(Object.is(value, -0) ? 0 : value))
      .join(' ')
      .replaceAll(' -', '-')
    out += name === written && name !== 'z' ? (text.startsWith('-') ? text : ` ${text}`) : name + text
    written = name
  }
  const number = (): number => {
    // Flags of an arc may stand without a space between them ("0 01"), which one token then holds.
    const token = tokens[i++]
    if (token === undefined) throw new Error('path ends inside a command')
    return Number(token)
  }
  const flag = (): number => {
    const token = tokens[i] ?? '0'
    if (token.length > 1) tokens[i] = token.slice(1)
    else i++
    return Number(token[0])
  }
  while (i < tokens.length) {
    if (/[a-zA-Z]/.test(tokens[i] ?? '')) command = tokens[i++] ?? ''
    const name = command.toLowerCase()
    const relative = command === name
    const [baseX, baseY] = relative ? [x, y] : [0, 0]
    if (name === 'z') {
      put('z', [])
      ;[x, y, penX, penY] = [startX, startY, Math.round(startX), Math.round(startY)]
      continue
    }
    if (name === 'h' || name === 'v') {
      if (name === 'h') x = baseX + number()
      else y = baseY + number()
      put(name, [name === 'h' ? Math.round(x) - penX : Math.round(y) - penY])
    } else if (name === 'a') {
      const radii = [number(), number(), number()].map((value) => Math.round(value * 10) / 10)
      const flags = [flag(), flag()]
      x = baseX + number()
      y = baseY + number()
      put('a', [...radii, ...flags, Math.round(x) - penX, Math.round(y) - penY])
    } else {
      const values: number[] = []
      for (let k = 0; k < (arity[name] ?? 0); k += 2) {
        x = baseX + number()
        y = baseY + number()
        values.push(Math.round(x) - penX, Math.round(y) - penY)
      }
      put(name, values)
    }
    ;[penX, penY] = [Math.round(x), Math.round(y)]
    if (name === 'm') {
      ;[startX, startY] = [x, y]
      command = relative ? 'l' : 'L'
    }
  }
  return out
}

/** The grounds of a shop card's ribbons, 22 px high with a swallow tail; the word stands on them as text. */
const RIBBONS = { new: signal, hot: '#B4230F', sale: paper } as const

/** One ribbon, flush to the left edge of its card. */
export function ribbon(kind: keyof typeof RIBBONS): string {
  return svg(58, 22, path('M0 0H58L51 11L58 22H0Z', RIBBONS[kind]))
}

/** The icons of a class's skills in one file, as symbols `s1`, `s2` … that take the colour of where they are used. */
export function skillSheet(icons: readonly string[]): string {
  const symbols = icons.map(
    (icon, i) =>
      `<symbol id="s${i + 1}" viewBox="0 0 512 512"><path fill="currentColor" d="${iconPath(icon)}"/></symbol>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}
