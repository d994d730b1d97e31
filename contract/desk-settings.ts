import { z } from 'zod'
import { declareDeskCalls, textFilter } from './desk.ts'
import { conflict } from './errors.ts'
import type { Permission } from './permissions.ts'
import { moment } from './scalars.ts'
import { SETTING_NAMES, SETTINGS } from './settings.ts'

const desk = declareDeskCalls('settings', { read: 'staff' })

const settingName = z.enum(SETTING_NAMES, 'There is no such setting.')

const settingSchema = z
  .object({
    name: settingName,
    value: z.unknown().meta({ description: 'For a webhook, only its last four characters' }),
    is_default: z.boolean(),
    default: z.string().meta({ description: 'The default as text' }),
    changed_by: z.string().nullable().meta({ description: 'The user ID, command or job that changed it last' }),
    fixed_by: z.string().nullable().meta({ description: 'The environment variable that overrides the setting' }),
    version: z.int().meta({ description: 'The version to send with a change; 0 if the setting was never changed' }),
    changed_at: moment.nullable(),
  })
  .meta({ id: 'Setting' })

export const getSettings = desk.read('/admin/settings', {
  summary: 'The settings that you may change, with their values',
  output: z.object({ rows: z.array(settingSchema) }),
})

export const getSettingChanges = desk.list('/admin/settings/changes', {
  summary: 'The changes of the settings that you may change, newest first',
  sorts: ['-change'],
  filters: { name: textFilter.meta({ description: 'The name of one setting' }) },
  row: z.object({
    change: z.int(),
    at: moment,
    name: settingName,
    label: z.string(),
    before: z.string().meta({ description: 'As text' }),
    after: z.string().meta({ description: 'As text' }),
    actor: z.string(),
    undoes: z.int().nullable(),
    is_latest: z.boolean().meta({ description: 'Whether this is the latest change of the setting' }),
  }),
})

/** Declares the call that changes the settings of a permission. Each change names the version on which it is based. */
const createSaveDeclaration = <const P extends Permission>(permission: P) =>
  ({
    access: permission,
    idempotent: false,
    input: {
      body: z.object({
        changes: z
          .array(
            z.object({
              name: z
                .enum(SETTING_NAMES, 'There is no such setting.')
                .refine(
                  (name) => SETTINGS[name].permission === permission,
                  'This call cannot change this setting. Use the screen that shows it.',
                ),
              version: z.int('Load the settings again.'),
              value: z.unknown().optional().meta({ description: 'null for the default' }),
              undoes: z.int().optional().meta({ description: 'The change to undo, instead of a value' }),
            }),
          )
          .min(1, 'Nothing to change.')
          .max(20, 'Change fewer settings at once.'),
      }),
    },
    output: z.object({ message: z.string(), rows: z.array(settingSchema) }),
    errors: {
      conflict,
      changeNotFound: { status: 404, message: 'There is no such change to undo.' },
    },
  }) as const

export const saveSettings = desk.write('/admin/settings/save', {
  title: 'Change settings',
  summary:
    'Change the settings of accounts, shop, rewards, forum, Discord and alerts, the names of the currencies, and the Today screen; raising rewards can need approval',
  sudo: true,
  approvable: true,
  ...createSaveDeclaration('settings.write'),
})

export const saveStaffSettings = desk.write('/admin/settings/staff/save', {
  title: 'Change staff settings',
  summary:
    'Change the settings for staff; changing the approval limit, lowering the lowest price, or turning off approvals or second factors needs another owner’s approval',
  sudo: true,
  approvable: true,
  ...createSaveDeclaration('staff.write'),
  errors: {
    ...createSaveDeclaration('staff.write').errors,
    ownerFactorMissing: {
      status: 409,
      message: 'No owner has set up a second factor yet, so no one could open the desk.',
    },
  },
})

export const saveSiteSettings = desk.write('/admin/site/settings/save', {
  title: 'Change site settings',
  summary:
    'Change the announcement, the links, the main menu, and the operator and contact in the policies; a new link to another site needs another owner’s approval',
  approvable: true,
  ...createSaveDeclaration('site.write'),
})

export const saveNames = desk.write('/admin/look/names/save', {
  title: 'Change site names',
  summary: 'Change the names of the site and the two lines at the end of its footer',
  ...createSaveDeclaration('look.write'),
  errors: {
    ...createSaveDeclaration('look.write').errors,
    fixedByEnvironment: {
      status: 409,
      message: 'The environment variable APP_NAME sets the name of the site. Change or remove it on the server.',
    },
  },
})

export const saveMaintenance = desk.write('/admin/maintenance/save', {
  title: 'Change maintenance',
  summary: 'Start, plan, change or end maintenance',
  ...createSaveDeclaration('maintenance.write'),
})
