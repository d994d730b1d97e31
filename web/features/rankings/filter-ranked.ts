import { type ClassName, classOfCode, type SchoolCode } from '#contract/game.ts'

type Ranked = { ChaClass: string; ChaSchool: number }
type Choice = { school: SchoolCode | null; cls: ClassName | null }

/** A row with its place among the rows that are shown: a running count after filtering (SPEC §2.9). */
export type WithRank<Row> = { rank: number; row: Row }

/** Keeps the rows of a school and a class, null meaning all, and counts them. Unknown class codes go as soon as a class is chosen. */
export function filterRanked<Row extends Ranked>(rows: readonly Row[], { school, cls }: Choice): WithRank<Row>[] {
  return rows
    .filter((row) => school === null || row.ChaSchool === school)
    .filter((row) => cls === null || classOfCode(row.ChaClass) === cls)
    .map((row, index) => ({ rank: index + 1, row }))
}
