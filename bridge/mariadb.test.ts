import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGame, UnfitGame } from '#bridge/game/open-game.ts'
import { testBridgeOn } from '#test/bridge-suite.ts'

const { game, config } = await testBridgeOn('mariadb')

test('a shop table without transactions is refused', async () => {
  await game.run('shop', 'create table Purchases2 like ShopPurchase')
  await game.run('shop', 'alter table Purchases2 engine = MyISAM')
  await assert.rejects(openGame({ ...config, names: { ShopPurchase: 'Purchases2' } }), (error) => {
    assert.match(String(error), /engine = InnoDB/)
    return error instanceof UnfitGame
  })
})
