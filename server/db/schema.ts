import type { AccountsTables } from './schema/accounts.ts'
import type { ContentTables } from './schema/content.ts'
import type { ForumTables } from './schema/forum.ts'
import type { GameTables } from './schema/game.ts'
import type { MessagesTables } from './schema/messages.ts'
import type { OperationTables } from './schema/operation.ts'
import type { RankingsTables } from './schema/rankings.ts'
import type { ShopTables } from './schema/shop.ts'

/** The tables as Kysely knows them; the truth is in migrations/*.sql. bigint arrives as number: no value here outgrows 2^53. */
export interface Schema
  extends AccountsTables,
    ShopTables,
    ContentTables,
    RankingsTables,
    GameTables,
    MessagesTables,
    ForumTables,
    OperationTables {}
