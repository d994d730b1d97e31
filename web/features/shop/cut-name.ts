/** A name of at most `max` characters and an ellipsis; whole when it is no longer than that (DECISIONS §4). */
export function cutName(name: string, max: number): string {
  const letters = [...name]
  return letters.length > max ? `${letters.slice(0, max).join('')}…` : name
}
