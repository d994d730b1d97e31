const UNIQUE_VIOLATION = '23505'

/**
 * Whether a statement failed because a row would have broken a unique constraint or index.
 * Works for errors of pg and of PGlite, which name the constraint in the same field.
 *
 * @param constraint the constraint's or index's name as the migrations create it
 */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  const found = error as { code?: unknown; constraint?: unknown }
  return found.code === UNIQUE_VIOLATION && found.constraint === constraint
}
