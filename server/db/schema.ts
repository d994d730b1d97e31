import { type AccountsTables, accountsHoldings } from './schema/accounts.ts'
import { type ContentTables, contentHoldings } from './schema/content.ts'
import { type ForumTables, forumHoldings } from './schema/forum.ts'
import { type GameTables, gameHoldings } from './schema/game.ts'
import type { Holding, Holdings } from './schema/holdings.ts'
import { type MessagesTables, messagesHoldings } from './schema/messages.ts'
import { type OperationTables, operationHoldings } from './schema/operation.ts'
import { type RankingsTables, rankingsHoldings } from './schema/rankings.ts'
import { type ShopTables, shopHoldings } from './schema/shop.ts'

/**
 * The tables for Kysely; migrations/*.sql creates them. A bigint is read as a number, because no value exceeds 2^53.
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

const DECLARED_HOLDINGS: Holdings<Schema> = {
  ...accountsHoldings,
  ...shopHoldings,
  ...contentHoldings,
  ...rankingsHoldings,
  ...gameHoldings,
  ...messagesHoldings,
  ...forumHoldings,
  ...operationHoldings,
}

/** Every table with its declared data of players. */
export const HOLDINGS: readonly (readonly [table: string, holding: Holding<string>])[] =
  Object.entries(DECLARED_HOLDINGS)
