/**
 * Declares which data of players each table has. Erasures and the copy of personal data derive from it. A test
 * compares it with the catalogue (every column with text or with an account's number) and with the privacy policy.
 */
export type Holdings<Tables> = { readonly [Table in keyof Tables]: Holding<keyof Tables[Table] & string> }

/** A column that ends in `_by` and refers to an account has the number of an operator, and is not declared. */
export type Holding<Column extends string> = {
  /** The column with the number of the account that a row is about. */
  readonly player?: Column | readonly Column[]
  /** How an erasure changes the account's rows: it deletes them, or replaces the values of these columns. */
  readonly erase?: 'delete' | Readonly<Partial<Record<Column, string | number | boolean | null>>>
  /** Columns that an erasure changes in separate statements (`server/features/players/erasures.ts`). */
  readonly erasedSeparately?: readonly Column[]
  /** Texts of staff, which can name any account; an erasure removes the account's names from them. */
  readonly staffTexts?: readonly Column[]
  /** Columns without personal data: codes, states, hashes, texts of the site, numbers that remain without a name. */
  readonly notPersonal?: readonly Column[]
  /** The part of the copy of personal data that reads the table; only the name of a part that reads several tables. */
  readonly copy?: string | Copy<Column>
  /** The reason why the copy leaves the table out. */
  readonly notCopied?: NotCopied
  /** The bold first words of the row of the privacy policy that describes the data. Several tables can share a row. */
  readonly policy?: string
}

/** A part of the copy that reads one table. */
type Copy<Column extends string> = {
  readonly part: string
  /** All columns, or these; an object gives them other names. */
  readonly columns?: readonly Column[] | Readonly<Record<string, Column>>
  readonly without?: readonly Column[]
  readonly order?: Column | readonly Column[]
}

type NotCopied =
  | 'work of the staff'
  | 'would help to log in'
  | 'deleted within minutes'
  | 'another part of the copy has the data'
  | 'counted from other tables'
  | 'a hash of an account that no longer exists'
