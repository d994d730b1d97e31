import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { findClassByCode, findSchool, formatClass, SCHOOLS } from '#contract/game.ts'
import { checkService, formatItemName, getService, SERVICE_TEXTS, serviceRefusals } from '#contract/services.ts'
import type { ShopItem } from '#contract/shop.ts'
import { call, getAlertText } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import styles from './service-dialog.module.css'

type Service = CallOutput<typeof getService>
type Character = Service['characters'][number]

/** A character and the change that a service makes, as the server has checked it. */
export type ChosenService = { character: number; choice: string; name: string; before: string; after: string }

type ServiceDialogProps = {
  item: ShopItem
  onClose: () => void
  onChoose: (service: ChosenService) => Promise<void>
}

/** Prompts for the character and the choice of a service (SERVICE-2). It does not buy. */
export function ServiceDialog({ item, onClose, onChoose }: ServiceDialogProps) {
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useCall(
    getService,
    { productnum: item.ProductNum },
    { staleTime: 0, gcTime: 0, retry: false },
  )
  return (
    <Dialog open title={formatItemName(item.ItemName, item.service)} onClose={busy ? undefined : onClose}>
      {data !== undefined ? (
        <ServiceForm service={data} busy={busy} onBusyChange={setBusy} onClose={onClose} onChoose={onChoose} />
      ) : error === null ? (
        <div role="status">
          <span className="visually-hidden">Loading</span>
          <Skeleton width="100%" height={220} />
        </div>
      ) : (
        <EmptyState title={getAlertText(error)} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      )}
    </Dialog>
  )
}

type ServiceFormProps = { service: Service; busy: boolean; onBusyChange: (busy: boolean) => void } & Pick<
  ServiceDialogProps,
  'onClose' | 'onChoose'
>

function ServiceForm({ service, busy, onBusyChange, onClose, onChoose }: ServiceFormProps) {
  const { ProductNum, asks, choices, characters, wait_hours } = service
  const availableCharacters = characters.filter(({ problem }) => problem === null)
  const [character, setCharacter] = useState(availableCharacters.length === 1 ? availableCharacters[0] : undefined)
  const [choice, setChoice] = useState('')
  const [fieldError, setFieldError] = useState<{ field: 'character' | 'choice'; message: string } | null>(null)
  if (characters.length === 0)
    return (
      <EmptyState
        title={SERVICE_TEXTS.charactersEmpty}
        line={SERVICE_TEXTS.charactersEmptyLine}
        action={
          <Button tone="secondary" onClick={onClose}>
            Close
          </Button>
        }
      />
    )
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const showError = (field: 'character' | 'choice', message: string) => {
      setFieldError({ field, message })
      form.querySelector<HTMLInputElement>(`[name=${field}]:enabled`)?.focus()
    }
    if (character === undefined) return showError('character', serviceRefusals.needsCharacter.message)
    if (asks !== 'nothing' && choice.trim() === '') return showError('choice', SERVICE_TEXTS.needsChoice)
    setFieldError(null)
    onBusyChange(true)
    const selection = { character: character.ChaNum, choice: choice.trim() }
    try {
      const { before, after } = await call(
        checkService,
        { productnum: ProductNum, ...selection },
        { shellFailures: 'ended-session' },
      )
      await onChoose({ ...selection, name: character.ChaName, before, after })
    } catch (error) {
      showError(asks === 'nothing' ? 'character' : 'choice', getAlertText(error))
      onBusyChange(false)
    }
  }
  const getFieldError = (field: 'character' | 'choice') =>
    fieldError?.field === field ? fieldError.message : undefined
  return (
    <form className={layout.stack} onSubmit={(event) => void submit(event)} noValidate>
      <Choices legend="For which character?" error={getFieldError('character')}>
        {characters.map((candidate) => (
          <label key={candidate.ChaNum} className={styles.choice}>
            <input
              type="radio"
              name="character"
              disabled={candidate.problem !== null}
              checked={candidate === character}
              onChange={() => !busy && setCharacter(candidate)}
            />
            <CharacterMark character={candidate} />
            <span>
              <b>{candidate.ChaName}</b>
              <span className={text.quiet}>
                Level {candidate.ChaLevel}, {findSchool(candidate.ChaSchool)?.name ?? 'no school'}
              </span>
              {candidate.problem !== null && <span className={text.quiet}>{candidate.problem}</span>}
            </span>
          </label>
        ))}
      </Choices>
      {asks === 'name' ? (
        <TextField
          label="New name"
          name="choice"
          hint="2 to 16 letters and digits"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={choice}
          readOnly={busy}
          error={getFieldError('choice')}
          onChange={({ currentTarget }) => setChoice(currentTarget.value)}
        />
      ) : (
        asks !== 'nothing' && (
          <Choices
            legend={asks === 'school' ? 'To which school?' : 'What would you like?'}
            error={getFieldError('choice')}
          >
            {choices.map(({ value, label }) => {
              const school = asks === 'school' ? SCHOOLS.find(({ code }) => String(code) === value) : undefined
              const isCurrentSchool =
                asks === 'school' && character !== undefined && String(character.ChaSchool) === value
              return (
                <label key={value} className={styles.choice}>
                  <input
                    type="radio"
                    name="choice"
                    disabled={isCurrentSchool}
                    checked={choice === value}
                    onChange={() => !busy && setChoice(value)}
                  />
                  {school && <Crest school={school.code} size={30} />}
                  <span>
                    <b>{label}</b>
                    {isCurrentSchool && <span className={text.quiet}>{character.ChaName} is there already.</span>}
                  </span>
                </label>
              )
            })}
          </Choices>
        )
      )}
      <p className={text.quiet}>
        Log the character out of the game. We can only change it while it is offline. If it stays online for{' '}
        {wait_hours === 1 ? 'an hour' : `${wait_hours} hours`}, you get your money back.
      </p>
      <div className={layout.buttons}>
        <Button tone="secondary" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" busy={busy} disabled={availableCharacters.length === 0}>
          Continue
        </Button>
      </div>
    </form>
  )
}

type ChoicesProps = { legend: string; error: string | undefined; children: ReactNode }

function Choices({ legend, error, children }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset className={styles.choices} aria-describedby={error === undefined ? undefined : id}>
      <legend>{legend}</legend>
      <div className={`${styles.list} quiet-scroll`}>{children}</div>
      {error !== undefined && (
        <FieldError id={id} role="alert">
          {error}
        </FieldError>
      )}
    </fieldset>
  )
}

function CharacterMark({ character }: { character: Character }) {
  const cls = findClassByCode(character.ChaClass)
  return cls === undefined ? <span /> : <Emblem name={cls} size={34} isOn label={formatClass(cls)} />
}
