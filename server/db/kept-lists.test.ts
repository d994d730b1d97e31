import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { seededRandom } from '#demo/world.ts'
import { openTestDatabase } from '#test/databases.ts'
import { insertAccount, insertCharacter, insertNews } from '#test/factories.ts'
import { insertItem } from '#test/money-helpers.ts'

const database = await openTestDatabase('demo')
const { db } = database
after(() => database.close())
const random = seededRandom(14)
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value

/** The kept lists as they should be, from all rows in their order. */
async function countLists() {
  const items = await db.selectFrom('shop_items').where('visible', '=', true).selectAll().execute()
  const news = await db.selectFrom('news').where('published', '=', true).selectAll().execute()
  const { rows: names } = await sql<{ product_num: number; nth: number }>`
    select product_num, row_number() over (order by name_lower, position, product_num)::int as nth
    from shop_items`.execute(db)
  const nthName = new Map(names.map(({ product_num, nth }) => [product_num, nth]))
  const firsts = {
    position: () => 0,
    shelf_price: (item: (typeof items)[number]) => item.shelf_price,
    '-shelf_price': (item: (typeof items)[number]) => -item.shelf_price,
    name: (item: (typeof items)[number]) => nthName.get(item.product_num) ?? 0,
  }
  const lists: Record<string, number[]> = {}
  const add = (list: string, id: number) => {
    lists[list] = [...(lists[list] ?? []), id]
  }
  for (const [sort, first] of Object.entries(firsts)) {
    const sorted = items.toSorted(
      (a, b) => first(a) - first(b) || a.position - b.position || a.product_num - b.product_num,
    )
    for (const { product_num, category_id } of sorted) {
      add(`shop 0 ${sort}`, product_num)
      add(`shop ${category_id} ${sort}`, product_num)
    }
  }
  const momentOf = ({ created_at }: { created_at: Date | null }) => created_at?.getTime() ?? Number.NEGATIVE_INFINITY
  for (const { id, type } of news.toSorted((a, b) => momentOf(b) - momentOf(a) || b.id - a.id)) {
    add('news', id)
    add(`news ${type}`, id)
  }
  return Object.entries(lists)
    .map(([list, ids]) => ({ list, total: ids.length, marks: ids.filter((_, index) => index % 50 === 0) }))
    .sort((a, b) => (a.list < b.list ? -1 : 1))
}

async function readKept() {
  const kept = await db.selectFrom('kept_lists').selectAll().execute()
  return kept
    .map(({ list, total, marks }) => ({ list, total, marks: marks.map(Number) }))
    .sort((a, b) => (a.list < b.list ? -1 : 1))
}

async function assertSchoolsCounted() {
  const { rows } = await sql<{ school: number; characters: number }>`
    select cha_school as school, count(*)::int as characters from characters where kept_out = '' group by cha_school order by 1`.execute(
    db,
  )
  const kept = await db.selectFrom('school_counts').where('characters', '>', 0).orderBy('school').selectAll().execute()
  assert.deepEqual(
    kept.map(({ school, characters }) => ({ school, characters: Number(characters) })),
    rows,
  )
}

const NO_SALE = { sale_price: null, sale_starts_at: null, sale_ends_at: null, on_sale: false }

async function changeSomething(index: number): Promise<void> {
  const items = await db.selectFrom('shop_items').select(['product_num', 'category_id']).execute()
  const news = await db.selectFrom('news').select('id').execute()
  const item = pick(items)
  const one = pick(news)
  const changeItem = db.updateTable('shop_items').where('product_num', '=', item.product_num)
  const changeNews = db.updateTable('news').where('id', '=', one.id)
  const changes = [
    () =>
      insertItem(db, {
        category_id: pick(items).category_id,
        price: 1 + Math.floor(random() * 9),
        position: index % 7,
      }),
    () => insertItem(db),
    () => changeItem.set({ price: 1 + Math.floor(random() * 9), ...NO_SALE }).execute(),
    () => changeItem.set({ visible: random() < 0.5 }).execute(),
    () => changeItem.set({ price: 9, ...NO_SALE, sale_price: 3, on_sale: random() < 0.5 }).execute(),
    () =>
      changeItem
        .set({ item_name: pick(['ñame', 'Name', 'name 2', 'Zz']), category_id: pick(items).category_id })
        .execute(),
    () =>
      db
        .deleteFrom('shop_items')
        .where('product_num', '=', item.product_num)
        .where('product_num', 'not in', (bought) => bought.selectFrom('purchases').select('product_num'))
        .execute(),
    () => insertNews(db, { type: pick([0, 1, 2]), created_at: pick([null, new Date(random() * 2e12)]) }),
    () => changeNews.set({ created_at: pick([null, new Date(random() * 2e12)]) }).execute(),
    () => changeNews.set({ published: random() < 0.5, type: pick([0, 1, 2]) }).execute(),
    () => db.deleteFrom('news').where('id', '=', one.id).execute(),
  ]
  await pick(changes)()
}

test('the kept lists are those of the demo world', async () => {
  assert.deepEqual(await readKept(), await countLists())
})

test('whatever is changed, the kept lists agree with the rows', async () => {
  for (let index = 0; index < 60; index++) await changeSomething(index)
  assert.deepEqual(await readKept(), await countLists())
  await sql`insert into news (subject, type, author, content) select 'Many', n % 3, 'GM', '' from generate_series(1, 230) n`.execute(
    db,
  )
  assert.deepEqual(await readKept(), await countLists())
})

test('changes at the same time are all counted', async () => {
  const items = await db.selectFrom('shop_items').select('product_num').limit(8).execute()
  await Promise.all(
    items.flatMap(({ product_num }, index) => [
      insertNews(db, { type: 1 }),
      db
        .updateTable('shop_items')
        .set({ price: 5 + index, ...NO_SALE })
        .where('product_num', '=', product_num)
        .execute(),
      db.transaction().execute(async (tx) => {
        await insertNews(tx, { type: 2 })
        await insertNews(tx, { type: 0 })
      }),
    ]),
  )
  assert.deepEqual(await readKept(), await countLists())
})

test('the characters of each school are counted as they come, move and go', async () => {
  await assertSchoolsCounted()
  const player = await insertAccount(db)
  const moved = await insertCharacter(db, { user_num: player, cha_school: 7 })
  await insertCharacter(db, { user_num: player, cha_school: 7 })
  await assertSchoolsCounted()
  await db.updateTable('characters').set({ cha_school: 8 }).where('cha_num', '=', moved).execute()
  await db.updateTable('characters').set({ cha_level: 5 }).where('user_num', '=', player).execute()
  await assertSchoolsCounted()
  await db.updateTable('characters').set({ kept_out: 'deleted' }).where('cha_num', '=', moved).execute()
  await assertSchoolsCounted()
  await db.deleteFrom('characters').where('user_num', '=', player).execute()
  await assertSchoolsCounted()
})
