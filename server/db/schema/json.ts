import type { ColumnType } from 'kysely'

/** A JSON column. It is written as JSON text, because the drivers would write a list as an SQL array. */
export type JsonColumn = ColumnType<unknown, string | null, string | null>

/** A JSON column with an object, never null. */
export type JsonObjectColumn<Value> = ColumnType<Value, string, string>

/** A JSON column with a list, never null. */
export type JsonListColumn<Item> = ColumnType<Item[], string | undefined, string>

/** A plain object with only JSON values. */
export type JsonObject = { readonly [name: string]: JsonValue }
type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[]
