import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { pairBridge } from '#contract/bridge.ts'
import { PASSWORD_FORM_NAMES, type PasswordForm } from '#contract/bridge-sealing.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { BRIDGE_CODE_FAILURES_MAX, BRIDGE_CODE_LIFETIME_MS } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse, refuseViolations } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { createGroupedCode } from '#server/http/tokens.ts'
import { readSettings } from '#server/settings.ts'
import { isSealKey } from './game-passwords.ts'

/** The characters of a code, without I, L, O and U, which are easy to misread. */
const CODE_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Creates a code of 60 random bits, such as `7K2M-Q9XZ-04TB`. */
const createCode = () => createGroupedCode(3, CODE_CHARACTERS)

/** Hashes a code. Ignores hyphens and case, and treats letters like the digits that they resemble. */
const hashCode = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1'))
    .digest('hex')

type NewCode = { madeBy: number | null; approvedBy: number | null; passwordForm: PasswordForm | null; now: Date }

/**
 * Creates a code that pairs one bridge within ten minutes, and ends all earlier codes.
 *
 * @param madeBy the account at the desk; null for a command
 * @param approvedBy the owner who approved; null without an approval
 * @param passwordForm the game's password form; null lets the bridge's first start report it
 * @returns the code, which is stored hashed, and its number
 */
export async function makeBridgeCode(
  tx: Db,
  { madeBy, approvedBy, passwordForm, now }: NewCode,
): Promise<{ code: string; number: number; endsAt: Date }> {
  await tx
    .updateTable('bridge_codes')
    .set({ ends_at: now })
    .where('used_at', 'is', null)
    .where('ends_at', '>', now)
    .execute()
  const code = createCode()
  const endsAt = new Date(now.getTime() + BRIDGE_CODE_LIFETIME_MS)
  const { bridge_code: number } = await tx
    .insertInto('bridge_codes')
    .values({
      code_hash: hashCode(code),
      made_at: now,
      made_by: madeBy,
      approved_by: approvedBy,
      ends_at: endsAt,
      used_at: null,
      password_form: passwordForm,
    })
    .returning('bridge_code')
    .executeTakeFirstOrThrow()
  return { code, number, endsAt }
}

/** Returns the refusal of a bridge whose configured password form differs from the one set at its pairing. */
export const createFormRefusal = (expectedForm: PasswordForm, statedForm: PasswordForm) =>
  new Refusal(
    409,
    'password-form',
    `This bridge was paired for passwords in the form "${expectedForm}" (${PASSWORD_FORM_NAMES[expectedForm].name}), but its configuration has "${statedForm}". Correct "passwordForm" there, or pair it again with a code for the other form.`,
    { extra: { reason: 'password-form' } },
  )

/**
 * Pairs an agent by a code, which is then used up, and notifies all owners. A wrong code counts against every code that is
 * still valid.
 *
 * @throws Refusal 422 for a wrong code or an unusable key; 409 for a key that is paired already, or a password form that
 *   differs from the code's
 */
export async function pairByCode(
  deps: Deps,
  { code, name, sign_key, seal_key, password_form: statedForm }: ValidInput<typeof pairBridge>,
): Promise<CallAnswer<typeof pairBridge>> {
  if (!isSealKey(seal_key)) throw refuse(pairBridge, 'badKey')
  const now = deps.now()
  const isOpen = sql<boolean>`used_at is null and ends_at > ${now} and failures < ${BRIDGE_CODE_FAILURES_MAX}`
  const transaction = deps.db.transaction().execute(async (tx) => {
    const codeRow = await tx
      .updateTable('bridge_codes')
      .set({ used_at: now })
      .where('code_hash', '=', hashCode(code))
      .where(isOpen)
      .returning(['made_by', 'approved_by', 'password_form'])
      .executeTakeFirst()
    if (codeRow === undefined) {
      await tx.updateTable('bridge_codes').set({ failures: sql`failures + 1` }).where(isOpen).execute()
      return undefined
    }
    const { made_by: paired_by, approved_by, password_form: pairedForm } = codeRow
    if (pairedForm !== null && statedForm !== undefined && statedForm !== pairedForm)
      throw createFormRefusal(pairedForm, statedForm)
    const bridgeRow = await tx
      .insertInto('bridges')
      .values({
        name: await chooseName(tx, name.trim() || 'Game server'),
        sign_key,
        seal_key,
        paired_at: now,
        paired_by,
        password_form: pairedForm ?? '',
      })
      .returning(['bridge', 'name'])
      .executeTakeFirstOrThrow()
    await notifyOwners(tx, deps, { ...bridgeRow, paired_by, approved_by })
    return bridgeRow.bridge
  })
  const bridge = await transaction.catch(refuseViolations(pairBridge, { bridges_sign_key_key: 'paired' }))
  if (bridge === undefined) throw refuse(pairBridge, 'wrongCode')
  deps.log.info({ bridge }, 'bridge paired')
  return { bridge, site: new URL(deps.publicUrl).origin, title: (await readSettings(deps)).site_name }
}

/** Returns a name that no other bridge has. Adds a number to the name of a second bridge on the same machine. */
async function chooseName(tx: Db, preferredName: string): Promise<string> {
  const rows = await tx.selectFrom('bridges').where('revoked_at', 'is', null).select('name').execute()
  const names = new Set(rows.map(({ name }) => name))
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? preferredName : `${preferredName.slice(0, 75)} ${attempt}`
    if (!names.has(name)) return name
  }
}

type PairedBridge = { bridge: number; name: string; paired_by: number | null; approved_by: number | null }

async function notifyOwners(tx: Db, deps: Deps, { bridge, name, paired_by, approved_by }: PairedBridge): Promise<void> {
  const operatorNums = [paired_by, approved_by].filter((operatorNum) => operatorNum !== null)
  const rows =
    operatorNums.length === 0
      ? []
      : await tx.selectFrom('accounts').where('user_num', 'in', operatorNums).select(['user_num', 'user_id']).execute()
  const findName = (user_num: number | null) => rows.find((row) => row.user_num === user_num)?.user_id
  const maker = findName(paired_by) ?? 'a command on the server'
  const approver = findName(approved_by)
  await mailOwners(tx, deps, {
    subject: 'A bridge to the game was paired',
    lines: [
      `${name} is paired with the site as bridge ${bridge}, with a code that ${maker} made${approver === undefined ? '' : ` and ${approver} approved`}.`,
      'A bridge gets the passwords that players use from now on, in the form that the game has. If you did not expect this, revoke it on the desk’s Game page.',
    ],
  })
}
