import { useNavigate } from 'react-router'
import { REGISTRATION_TEXTS, register } from '#contract/accounts.ts'
import { REGISTERED_REDIRECT_MS } from '#contract/limits.ts'
import { getStarterItems, REWARD_TEXTS } from '#contract/rewards.ts'
import { invitationSearch } from '#web/api/browser-search.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { pause } from '#web/api/guard.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { NewPasswordField } from '#web/features/password/new-password.tsx'
import { SecretFields, UserIdField } from '#web/forms/account-fields.tsx'
import { useDraft } from '#web/forms/draft.ts'
import { Checkbox, RadioGroup, SelectField } from '#web/forms/fields.tsx'
import { FormActions, FormGrid, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import styles from './register-page.module.css'
import { formatErrorAlert, listCountries, REGISTER_DRAFT } from './registration.ts'

/** The registration page (REG-1). */
export default function RegisterPage() {
  const { data: site } = usePageQuery(getSiteQuery())
  const starterItems = useCall(getStarterItems, {}).data?.items
  const lines = ['One account for all three schools.', 'You choose a school inside the game.']
  return (
    <>
      <PageHead
        crumb="Register"
        title="Register"
        lines={starterItems ? [...lines, REWARD_TEXTS.starterLine(starterItems)] : lines}
      />
      {site?.registration_open === false && (
        <Panel title="Registration">
          <p>{REGISTRATION_TEXTS.closed}</p>
        </Panel>
      )}
      <RegisterForm />
    </>
  )
}

/**
 * Returns the form, its draft and its submission (REG-4, REG-6, REG-7). The typed text survives a refusal and a reload.
 */
function useRegistration() {
  const navigate = useNavigate()
  const { invite } = usePageSearch(invitationSearch)
  const form = useCallForm(register, {
    input: (values) => ({ ...values, invite }),
    onDone: async ({ status, message }) => {
      void showToast(status === 1 ? 'done' : 'error', message)
      if (status !== 1) return
      draft.clear()
      await pause(REGISTERED_REDIRECT_MS)
      await navigate('/')
    },
    onFailure: (error) => {
      const errors = error instanceof CallError ? error.fields : {}
      const text = Object.keys(errors).length > 0 ? formatErrorAlert(errors) : getAlertText(error)
      void showToast('error', text)
    },
  })
  const draft = useDraft(form, REGISTER_DRAFT, { gender: 'Male' })
  return { ...form, saveDraft: draft.save }
}

type Registration = ReturnType<typeof useRegistration>

function RegisterForm() {
  const registration = useRegistration()
  const navigate = useNavigate()
  return (
    <PaperSheet>
      <form {...registration.form} onChange={registration.saveDraft}>
        <PersonalFields {...registration} />
        <PasswordFields {...registration} />
        <SheetPart numeral={3} title="Last thing">
          <CountryAndTerms {...registration} />
          <FormActions>
            <Button type="submit" tone="paper" size="lg" busy={registration.busy}>
              Submit
            </Button>
            <Button tone="secondary" size="lg" onClick={() => void navigate('/')}>
              Cancel
            </Button>
          </FormActions>
        </SheetPart>
      </form>
    </PaperSheet>
  )
}

/** Part 1: user ID, email address, name and gender. */
function PersonalFields({ field }: Pick<Registration, 'field'>) {
  return (
    <SheetPart numeral={1} title="Who you are">
      <FormGrid>
        <UserIdField {...field('userId')} />
        <TextField label="Email" type="email" autoComplete="email" {...field('userEmail')} />
        <TextField label="First Name" autoComplete="given-name" {...field('userFirstName')} />
        <TextField label="Last Name" autoComplete="family-name" {...field('userLastName')} />
        <RadioGroup label="Gender" options={['Male', 'Female']} defaultOption="Male" {...field('gender')} />
      </FormGrid>
    </SheetPart>
  )
}

/** Part 2: password and secret answer. */
function PasswordFields({ field, watch }: Pick<Registration, 'field' | 'watch'>) {
  return (
    <SheetPart
      numeral={2}
      title="How you get in"
      line="The secret answer confirms it is you when you change your password."
    >
      <FormGrid>
        <NewPasswordField
          label="Password"
          password={watch('userPassword') ?? ''}
          userId={watch('userId')}
          {...field('userPassword')}
        />
        <PasswordField label="Confirm Password" autoComplete="new-password" {...field('userPasswordConfirm')} />
        <SecretFields field={field} />
      </FormGrid>
    </SheetPart>
  )
}

/** Created once, so React does not render its 250 options again when the form changes. */
const COUNTRY_OPTIONS = (
  <>
    {listCountries().map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </>
)

/** Part 3: country and terms. */
function CountryAndTerms({ field }: Pick<Registration, 'field'>) {
  return (
    <>
      <FormGrid>
        <SelectField label="Country" hint="optional" autoComplete="country" {...field('country')}>
          <option value="">No country</option>
          {COUNTRY_OPTIONS}
        </SelectField>
      </FormGrid>
      <Terms />
      <Checkbox label="I have read and accept the terms of use" {...field('agreeTerms')} />
    </>
  )
}

const TERMS = [
  'One person, one account. It is yours alone: do not sell, lend or share it.',
  'Play fair. Cheating, using bots or exploiting bugs ends the account.',
  'R-Coin and Milleage have value in the game only. They cannot be turned back into money.',
  'Be kind in chat, names and clubs. No one here has to put up with insults.',
  'We store your entries to run your account, and don’t share them. Write to support to have them deleted.',
] as const

/** The terms of use, above the checkbox that accepts them. */
function Terms() {
  return (
    <details className={`${text.note} ${styles.terms}`}>
      <summary>Read the terms of use</summary>
      <ol>
        {TERMS.map((term) => (
          <li key={term}>
            <CurrencyText>{term}</CurrencyText>
          </li>
        ))}
      </ol>
      <p>
        In full: <Link to="/operationpolicy">Operation Policy</Link>, <Link to="/privacypolicy">Privacy Policy</Link>,{' '}
        <Link to="/gamecashagreement">Game Cash Agreement</Link>.
      </p>
    </details>
  )
}
