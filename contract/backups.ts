import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { isSingleLine, lineField, recordIdField } from './fields.ts'
import { count, moment } from './scalars.ts'

const desk = declareDeskCalls('backups', { read: 'health.read', write: 'backups.manage' })

/** The name of a stored backup: its time in Manila and its purpose. */
export const BACKUP_NAME = /^tambayan-\d[\w.-]{1,150}\.backup\.gz$/

const NAME_RULE = 'Choose a backup.'
const backupNameField = f.string(NAME_RULE).check(f.regex(BACKUP_NAME, NAME_RULE))

/** The backup to act on. */
export const backupForm = f.object({ name: backupNameField })

const TARGET_KINDS = { folder: 'A folder on this machine, such as a mounted disk', s3: 'An S3-compatible store' }

const SECRET_RULE = 'Enter the secret key as one line of at most 500 characters.'

export const backupTargetForm = f.object({
  kind: f.enum(['folder', 's3'], 'Choose a folder or a store.'),
  place: lineField(300, 'Enter where the backups go.'),
  bucket: lineField(100),
  region: lineField(50),
  access_key: lineField(200),
  secret: f.string(SECRET_RULE).check(f.maxLength(500, SECRET_RULE), f.refine(isSingleLine, SECRET_RULE)),
})

export const backupTargetFields = describeFields(backupTargetForm, {
  kind: { label: 'Copies go to', options: TARGET_KINDS },
  place: { label: 'Folder, or address of the store', kind: 'address' },
  bucket: { label: 'Bucket', hint: 'use it only for these backups', kind: 'id' },
  region: { label: 'Region', hint: 'auto, if you do not know it', kind: 'id' },
  access_key: { label: 'Access key', kind: 'id' },
  secret: { label: 'Secret key', kind: 'password' },
})

/** The tested target to copy backups to; null stops the copies. */
export const backupTargetChoiceForm = f.object({ target: f.nullable(recordIdField) })

const targetSchema = z.object({
  kind: z.enum(['folder', 's3']),
  place: z.string(),
  bucket: z.string(),
  region: z.string(),
  access_key: z.string(),
})

const backupRow = z
  .object({
    name: z.string(),
    made_at: moment,
    made_by: z.string(),
    rows: count.nullable().meta({ description: 'null for a file that this site did not write' }),
    bytes: z.int(),
    here: z.boolean().meta({ description: 'Whether the file is in the folder of backups of this machine' }),
    copied_at: moment.nullable(),
    checked_at: moment.nullable(),
    check_problem: z.string().meta({ description: 'Why the last check failed; empty otherwise' }),
    checking: z.boolean(),
    download_until: moment
      .nullable()
      .meta({ description: 'The end of the caller’s permission to download it; null without one' }),
  })
  .meta({ id: 'DeskBackup' })

export const getBackups = desk.read('/admin/backups', {
  summary: 'The backups, newest first, and the target of their copies',
  output: z.object({
    nightly: z.boolean(),
    making: z.object({ asked_at: moment, asked_by: z.string() }).nullable(),
    failed: z
      .object({ at: moment, problem: z.string() })
      .nullable()
      .meta({ description: 'Why the last requested backup failed' }),
    rows: z.array(backupRow),
    setup: z
      .object({
        folder: z.string(),
        target: targetSchema.extend({ used_at: moment }).nullable(),
        copy_problem: z.string(),
        tried: targetSchema.extend({ target: z.int(), tried_at: moment }).nullable(),
        unknown_requests: z
          .array(
            z.object({
              user_num: z.int(),
              user_id: z.string(),
              requested_at: moment,
              taken_back_at: moment.nullable(),
            }),
          )
          .meta({
            description:
              'Erasure requests, and withdrawals of them, that are newer than the backup from which this site was restored',
          }),
        restore: z.string().meta({ description: 'The commands that restore a backup; NAME stands for its name' }),
      })
      .nullable()
      .meta({ description: 'Null without the permission to manage backups' }),
  }),
})

export const makeBackup = desk.write('/admin/backups/make', { title: 'Make backup', summary: 'Make a backup now' })

const backupNotFound = { status: 404, message: 'This backup is not on the machine that handled your request.' } as const

export const checkBackup = desk.write('/admin/backups/check', {
  title: 'Check backup',
  summary: 'Restore a backup into a temporary database, and count its rows',
  fields: backupForm,
  errors: { backupNotFound },
})

export const allowBackupDownload = desk.write('/admin/backups/download', {
  title: 'Request backup download',
  summary: 'Request to download a backup. After another owner approves, you can download it for a day',
  sudo: true,
  approvable: true,
  fields: backupForm,
  output: z.object({ message: z.string(), until: moment }),
  errors: { backupNotFound },
})

export const getBackupFile = desk.read('/admin/backups/{name}/file', {
  title: 'Download backup',
  summary: 'Download a backup after your request was approved',
  access: 'backups.manage',
  sudo: true,
  audited: true,
  input: { params: z.object({ name: z.string().regex(BACKUP_NAME, NAME_RULE) }) },
  output: z.file(),
  errors: {
    backupNotFound,
    notAsked: {
      status: 409,
      message: 'Request this download first. After another owner approves, you can download the backup for a day.',
    },
  },
})

/** The errors never contain the store's response. */
export const tryBackupTarget = desk.write('/admin/backups/target/try', {
  title: 'Test backup target',
  summary: 'Test a target for backups: write a small file there and delete it',
  sudo: true,
  limit: 'backupTargetTries',
  fields: backupTargetForm,
  output: z.object({ message: z.string(), target: z.int() }),
  errors: {
    pathMissing: { status: 422, message: 'Enter the whole path of a folder, such as /mnt/backups.', field: 'place' },
    ownFolder: { status: 422, message: 'Choose a folder outside of the site’s own folders.', field: 'place' },
    notWritable: { status: 422, message: 'The site cannot write to this folder.', field: 'place' },
    addressMissing: {
      status: 422,
      message: 'Enter the address of the store; it starts with https://.',
      field: 'place',
    },
    bucketMissing: {
      status: 422,
      message: 'Enter the bucket, in lowercase letters, digits, dots and dashes.',
      field: 'bucket',
    },
    accessKeyMissing: { status: 422, message: 'Enter the access key.', field: 'access_key' },
    secretAgain: {
      status: 422,
      message: 'Enter the secret key. You need to enter it again for another address, bucket or access key.',
      field: 'secret',
    },
    storeUnreachable: { status: 422, message: 'The store cannot be reached at this address.', field: 'place' },
    denied: {
      status: 422,
      message: 'The store does not accept this key, or the key may not write, read and delete in this bucket.',
      field: 'access_key',
    },
    unknownBucket: { status: 422, message: 'The store has no such bucket.', field: 'bucket' },
    storeTestFailed: {
      status: 422,
      message: 'The server at this address did not pass the test. Check the address and the region.',
      field: 'place',
    },
  },
})

export const changeBackupTarget = desk.write('/admin/backups/target/use', {
  title: 'Change backup target',
  summary: 'Copy backups to a tested target, or stop copying them. Another owner has to approve it',
  sudo: true,
  approvable: true,
  fields: backupTargetChoiceForm,
  errors: {
    notTried: { status: 409, message: 'This target was not tested recently. Test it again first.' },
    none: { status: 409, message: 'Backups are not copied to a target.' },
  },
})
