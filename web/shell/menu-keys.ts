import type { KeyboardEvent } from 'react'

/**
 * The link that a key moves to in the main menu: Down opens a column, arrows walk,
 * Escape shuts the menu and goes back to the column's entry. Undefined for other keys.
 */
export function stepInMenu(
  event: KeyboardEvent<HTMLElement>,
  setState: (state: 'auto' | 'shut') => void,
): HTMLElement | undefined {
  const columns = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]')]
  const column = columns.find((candidate) => candidate.contains(document.activeElement))
  if (column === undefined) return undefined
  const linksOf = (of: HTMLElement) =>
    [...of.querySelectorAll<HTMLElement>('a')].filter((link) => link.getClientRects().length > 0)
  const beside = (step: number) => columns.at((columns.indexOf(column) + step) % columns.length)
  const links = linksOf(column)
  const here = links.indexOf(document.activeElement as HTMLElement)

  switch (event.key) {
    case 'Escape':
      setState('shut')
      return links[0]
    case 'ArrowDown':
      setState('auto')
      return links[Math.min(here + 1, links.length - 1)]
    case 'ArrowUp':
      return links[Math.max(here - 1, 0)]
    case 'ArrowRight':
      return linksOf(beside(1) ?? column)[0]
    case 'ArrowLeft':
      return linksOf(beside(-1) ?? column)[0]
    default:
      return undefined
  }
}
