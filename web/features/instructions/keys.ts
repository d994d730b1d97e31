/** Returns whether an action has different keys or buttons in the two types. */
export function differsByType({ a, b }: { a: string; b: string }): boolean {
  return a !== b
}

/** Returns every key in a cell of the key table: `F1 – F4` becomes F1, F2, F3, F4. */
export function splitKeys(cell: string): string[] {
  return cell.split(' / ').flatMap((alternative) => {
    const [from = '', to] = alternative.split(' – ')
    if (to === undefined) return [from]
    const [, prefix = '', first = '0'] = /^(.*?)(\d+)$/.exec(from) ?? []
    const last = Number(/\d+$/.exec(to)?.[0] ?? first)
    return Array.from({ length: last - Number(first) + 1 }, (_, step) => `${prefix}${Number(first) + step}`)
  })
}

/** Splits a cell into keys at even indexes and separators at odd ones. `Num +` is one key of the number block. */
export function splitPieces(cell: string): string[] {
  return cell.split(/( \/ | – |(?<!Num) \+ )/)
}
