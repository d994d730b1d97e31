import { iconPath } from './items.ts'

/** The icons of a class's skills in one file, as symbols `s1`, `s2` … that take the colour of where they are used. */
export function skillSheet(icons: readonly string[]): string {
  const symbols = icons.map(
    (icon, i) =>
      `<symbol id="s${i + 1}" viewBox="0 0 512 512"><path fill="currentColor" d="${iconPath(icon)}"/></symbol>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}
