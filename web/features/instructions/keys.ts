/** Returns whether an action has different keys or buttons in the two types. */
export function differsByType({ a, b }: { a: string; b: string }): boolean {
  return a !== b
}

/** Returns every key in a cell of the key table: `F1 – F4` becomes F1, F2, F3, F4. */
export function splitKeys(cell: string): string[] {
  return cell.split(' / ').flatMap((alternative) => {
    const [from = '', to] = alternative.split(' – ')
    if (to === undefined) return [from]
    const [, prefix = '', firstNumber = '0'] = /^(.*?)(\d+)$/.exec(from) ?? []
    const lastNumber = Number(/\d+$/.exec(to)?.[0] ?? firstNumber)
    return Array.from(
      { length: lastNumber - Number(firstNumber) + 1 },
      (_, step) => `${prefix}${Number(firstNumber) + step}`,
    )
  })
}

/** Splits a cell into keys at even indexes and separators at odd ones. `Num +` is one key of the number block. */
export function splitPieces(cell: string): string[] {
  return cell.split(/( \/ | – |(?<!Num) \+ )/)
}
