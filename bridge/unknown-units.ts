import { reportUnknown } from '#contract/bridge.ts'
import { toNumber, toText } from './game/driver.ts'
import type { ReadyGame } from './game/open-game.ts'
import type { CallSite } from './site.ts'

const SENT_AT_ONCE = 500

/**
 * Sends the units in the game whose numbers are above the highest one that the site has issued. They exist only if the site was
 * restored from a backup that is older than these units.
 */
export async function sendUnknownUnits({ shop }: ReadyGame, highestNumber: number, callSite: CallSite): Promise<void> {
  const [top, limit] = shop.dialect === 'mssql' ? [`top (${SENT_AT_ONCE}) `, ''] : ['', ` limit ${SENT_AT_ONCE}`]
  for (let after = highestNumber; ; ) {
    const rows = await shop.query(
      `select ${top}unit, mark, usernum, productnum, price, flag from tambayan_delivery
      where unit > :after and state = 'delivered' order by unit${limit}`,
      { after },
    )
    const lastRow = rows.at(-1)
    if (lastRow === undefined) return
    const units = rows.map((row) => ({
      unit: Number(row.unit),
      mark: toText(row.mark),
      game_user_num: toNumber(row.usernum) ?? 0,
      product_num: toNumber(row.productnum) ?? 0,
      price: toNumber(row.price) ?? 0,
      claimed: toText(row.flag) === 'claimed',
    }))
    await callSite(reportUnknown, { units })
    after = Number(lastRow.unit)
  }
}
