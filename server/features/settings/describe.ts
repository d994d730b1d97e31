import { formatManilaMinute } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { isSealedWebhook, type Maintenance, SETTINGS, type SettingName, type Settings } from '#contract/settings.ts'

/** Hides a webhook except for its end, because anyone who has it can post. Returns other values unchanged. */
export function hideSecret(name: SettingName, value: unknown): unknown {
  if (SETTINGS[name].kind !== 'webhook' || value === null || value === '') return value
  return `…${isSealedWebhook(value) ? value.end : String(value).slice(-4)}`
}

/** Describes a value of a setting for the history and for approvers. `null` is the default. */
export function describeValue(name: SettingName, value: unknown): string {
  if (value === null || value === undefined) return 'the default'
  if (value === '') return 'nothing'
  switch (SETTINGS[name].kind) {
    case 'switch':
      return value === true ? 'on' : 'off'
    case 'number':
      return formatCount(Number(value))
    case 'moment':
      return formatManilaMinute(new Date(String(value)))
    case 'maintenance':
      return describeMaintenance(value as Maintenance)
    default:
      return String(hideSecret(name, value))
  }
}

function describeMaintenance({ from, until, message, allowed }: Maintenance): string {
  if (from === '') return 'off'
  const end = until === '' ? 'until it is ended' : `until ${formatManilaMinute(new Date(until))}`
  const allowedText = allowed.length === 0 ? '' : `, open for ${allowed.join(', ')}`
  return `from ${formatManilaMinute(new Date(from))} ${end}${allowedText}: ${message}`
}

/** Returns the values of settings for the audit log, field by field. */
export function flattenSettings(names: readonly SettingName[], settings: Settings): Record<string, unknown> {
  const fields = names.flatMap((name): [string, unknown][] => {
    const value: unknown = hideSecret(name, settings[name])
    return typeof value === 'object' && value !== null
      ? Object.entries(value).map(([field, fieldValue]) => [`${name} ${field}`, fieldValue])
      : [[name, value]]
  })
  return Object.fromEntries(fields)
}
