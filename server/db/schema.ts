import type { AccountsTables } from './schema/accounts.ts'
import type { ContentTables } from './schema/content.ts'
import type { ForumTables } from './schema/forum.ts'
import type { GameTables } from './schema/game.ts'
import type { MessagesTables } from './schema/messages.ts'
import type { OperationTables } from './schema/operation.ts'
import type { RankingsTables } from './schema/rankings.ts'
import type { ShopTables } from './schema/shop.ts'

/**
 * The tables for Kysely; the source is migrations/*.sql. bigint arrives as number, because no value here exceeds 2^53.
 */
export interface Schema
  extends AccountsTables,
    ShopTables,
    ContentTables,
    RankingsTables,
    GameTables,
    MessagesTables,
    ForumTables,
    OperationTables {}
