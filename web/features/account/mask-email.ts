/** An address as others may see it over a shoulder: its first character and stars (SPEC §2.5, DECISIONS §4). */
export function maskEmail(email: string): string {
  const [first, ...rest] = email
  return first === undefined ? '' : first + '*'.repeat(rest.length)
}
