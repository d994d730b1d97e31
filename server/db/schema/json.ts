import type { ColumnType } from 'kysely'

/** Read as a value, written as JSON text, because the drivers would make a list an array of the database. */
export type Json = ColumnType<unknown, string | null, string | null>

/** The same for an object that is never null. */
export type JsonOf<Value> = ColumnType<Value, string, string>

/** The same for a list that is never null. */
export type JsonList<Item> = ColumnType<Item[], string | undefined, string>

/** A plain object, as JSON has it. */
export type JsonObject = { readonly [name: string]: JsonValue }
type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[]
