import { formatOrdinal } from '#contract/numbers.ts'

/** The facts about a download that operators write, one per line (docs/OPERATING.md). */
export type DownloadFacts = {
  checksum: { kind: string; value: string } | null
  /** The position of the link in the order in which players should try the links. */
  mirror: number | null
  /** All other lines. */
  note: string
}

const FACT_LINE = /^\s*(mirror|sha-?(?:1|256|512)|md5)\s*:\s*(.*\S)\s*$/i

function formatChecksumKind(key: string): string {
  const upperKey = key.toUpperCase()
  return upperKey.startsWith('SHA') ? `SHA-${upperKey.replace(/\D/g, '')}` : upperKey
}

/**
 * Parses `link_description`. Lines such as 'SHA-256: 7c41…' and 'Mirror: 1' are facts in any order; the other lines are
 * the note. The last occurrence of a fact counts.
 */
export function readDescription(text: string): DownloadFacts {
  const facts: DownloadFacts = { checksum: null, mirror: null, note: '' }
  const notes: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, key = '', value = ''] = FACT_LINE.exec(line) ?? []
    const name = key.toLowerCase()
    if (name === 'mirror' && /^[1-9]\d{0,2}$/.test(value)) facts.mirror = Number(value)
    else if (name !== '' && name !== 'mirror') facts.checksum = { kind: formatChecksumKind(key), value }
    else if (line.trim() !== '') notes.push(line.trim())
  }
  return { ...facts, note: notes.join(' ') }
}

/** Sorts links in the order to try them: numbered mirrors first, then the others in the operators' order. */
export function sortByMirror<Link extends { link_description: string }>(
  links: readonly Link[],
): { link: Link; facts: DownloadFacts }[] {
  return links
    .map((link) => ({ link, facts: readDescription(link.link_description) }))
    .sort((a, b) => (a.facts.mirror ?? 1000) - (b.facts.mirror ?? 1000))
}

/** Formats the order in which to try a mirror: 'Try 1st', 'Try 2nd' … */
export function formatTryNumber(mirror: number): string {
  return `Try ${formatOrdinal(mirror)}`
}
