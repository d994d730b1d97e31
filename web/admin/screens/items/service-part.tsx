import type { saveItem } from '#contract/desk-items.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { CLASS_NAMES, SCHOOLS } from '#contract/game.ts'
import { isCustomService, SERVICES, type ServiceName } from '#contract/services.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { FormGrid, SheetPart } from '#web/forms/sheet.tsx'
import layout from '#web/ui/layout.module.css'
import deskLayout from '../../kit/desk-layout.module.css'
import { DeskField, type FormState, type ShownFields } from '../../kit/fields.tsx'
import styles from './items.module.css'

type Values = Partial<FormValues<typeof saveItem>>

type ServicePartProps = {
  form: FormState<Values>
  fields: ShownFields<'service' | 'service_pause_hours'>
  /** Whether the item is new. Only a new item can become a service or change its service. */
  isNew: boolean
}

const CUSTOM = 'own'
const KIND_OPTIONS = [
  ...Object.entries(SERVICES).map(([service, { name }]) => [service, name] as const),
  [CUSTOM, 'A custom service'] as const,
]
const SCHOOL_OPTIONS = SCHOOLS.map(({ code, name }) => [String(code), name] as const)
const CLASS_OPTIONS = CLASS_NAMES.map((name) => [name, name.slice(0, 1).toUpperCase() + name.slice(1)] as const)

/** Edits a service (SERVICE-1): its effect, the characters it applies to, and how often it can be bought. */
export function ServicePart({ form, fields, isNew }: ServicePartProps) {
  const {
    service = null,
    service_pause_hours,
    service_classes = [],
    service_schools = [],
    service_choices = [],
  } = form.values
  const isCustom = service !== null && isCustomService(service)
  if (!isNew && service === null) return null
  const line = isNew
    ? 'A service changes a character while it is logged out of the game. You can’t change the kind later.'
    : isCustom
      ? `The service “${service}”, as the bridge’s configuration defines it.`
      : `${SERVICES[service as ServiceName].name}.`
  return (
    <SheetPart title="What it does to a character" line={line}>
      <div className={layout.stack}>
        {isNew && (
          <FormGrid>
            <DeskField
              field={{ kind: 'choice', label: 'Kind', none: 'Nothing: it is an item', options: KIND_OPTIONS }}
              value={isCustom ? CUSTOM : (service ?? '')}
              error={isCustom ? undefined : form.getError('service')}
              onChange={(kind: string) =>
                form.change({
                  service: kind === '' ? null : kind === CUSTOM ? '' : kind,
                  service_choices: [],
                  ...(kind === '' && { service_pause_hours: null, service_classes: [], service_schools: [] }),
                  ...(kind !== '' && { game_product_num: null }),
                })
              }
            />
            {isCustom && (
              <DeskField
                field={{ ...fields.service, kind: 'id', label: 'Its name at the bridge', hint: 'such as pet-name' }}
                value={service}
                error={form.getError('service')}
                onChange={(name: string | null) => form.change({ service: name ?? '' })}
              />
            )}
          </FormGrid>
        )}
        {service !== null && (
          <>
            {service === 'school' && (
              <CheckboxGroup
                legend="Schools to choose from; none ticked: all"
                options={SCHOOL_OPTIONS}
                chosenValues={service_choices}
                onChange={(chosenValues) => form.change({ service_choices: chosenValues })}
              />
            )}
            {isCustom && (
              <DeskField
                field={{
                  kind: 'lines',
                  label: 'Choices for players',
                  hint: 'one per line; empty: players choose nothing',
                  rows: 4,
                }}
                value={service_choices.join('\n')}
                error={form.getError('service_choices')}
                onChange={(text: string) => form.change({ service_choices: text.split('\n') })}
              />
            )}
            <CheckboxGroup
              legend="Classes that can have it; none ticked: all"
              options={CLASS_OPTIONS}
              chosenValues={service_classes}
              onChange={(chosenValues) =>
                form.change({ service_classes: CLASS_NAMES.filter((name) => chosenValues.includes(name)) })
              }
            />
            <CheckboxGroup
              legend="Schools whose characters can have it; none ticked: all"
              options={SCHOOL_OPTIONS}
              chosenValues={service_schools.map(String)}
              onChange={(chosenValues) => form.change({ service_schools: chosenValues.map(Number) })}
            />
            <FormGrid>
              <DeskField
                field={fields.service_pause_hours}
                value={service_pause_hours ?? null}
                error={form.getError('service_pause_hours')}
                onChange={(hours: number | null) => form.change({ service_pause_hours: hours })}
              />
            </FormGrid>
          </>
        )}
        {service === null && form.getError('service') !== undefined && (
          <p className={deskLayout.failure} role="alert">
            {form.getError('service')}
          </p>
        )}
      </div>
    </SheetPart>
  )
}

type CheckboxGroupProps = {
  legend: string
  options: readonly (readonly [value: string, label: string])[]
  chosenValues: readonly string[]
  onChange: (chosenValues: string[]) => void
}

function CheckboxGroup({ legend, options, chosenValues, onChange }: CheckboxGroupProps) {
  return (
    <fieldset className={styles.ticks}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <Checkbox
          key={value}
          label={label}
          checked={chosenValues.includes(value)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...chosenValues, value] : chosenValues.filter((other) => other !== value))
          }
        />
      ))}
    </fieldset>
  )
}
