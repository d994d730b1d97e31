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
