import type { UseFormReturn } from 'react-hook-form'
import { SECRET_QUESTIONS } from '#contract/account-messages.ts'
import { EMAIL_MAX, NAME_MAX, SECRET_ANSWER_MAX, USER_ID_MAX, USER_ID_MIN } from '#contract/limits.ts'
import { SelectField } from '#web/features/account/select-field.tsx'
import { NewPasswordField } from '#web/features/password/new-password-field.tsx'
import grid from '#web/forms/sheet.module.css'
import { SheetPart } from '#web/forms/sheet.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Checkbox, RadioRow } from './choices.tsx'
import { listCountries } from './countries.ts'
import type { RegistrationForm } from './registration-rules.ts'
import { Terms } from './terms.tsx'

type PartProps = { form: UseFormReturn<RegistrationForm> }

/** Part 1: name, address, gender. */
export function WhoYouAre({ form: { register, formState } }: PartProps) {
  const { errors } = formState
  return (
    <SheetPart numeral={1} title="Who you are">
      <div className={grid.grid}>
        <TextField
          label="User ID"
          hint={`${USER_ID_MIN} to ${USER_ID_MAX}: A–Z, 0–9, _`}
          maxLength={USER_ID_MAX}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.userId?.message}
          {...register('userId')}
        />
        <TextField
          label="Email"
          type="email"
          maxLength={EMAIL_MAX}
          autoComplete="email"
          error={errors.userEmail?.message}
          {...register('userEmail')}
        />
        <TextField
          label="First Name"
          maxLength={NAME_MAX}
          autoComplete="given-name"
          error={errors.userFirstName?.message}
          {...register('userFirstName')}
        />
        <TextField
          label="Last Name"
          maxLength={NAME_MAX}
          autoComplete="family-name"
          error={errors.userLastName?.message}
          {...register('userLastName')}
        />
        <RadioRow label="Gender" options={['Male', 'Female']} chosen="Male" input={register('gender')} />
      </div>
    </SheetPart>
  )
}

/** Part 2: password and secret answer. */
export function HowYouGetIn({ form: { register, watch, formState } }: PartProps) {
  const { errors } = formState
  return (
    <SheetPart
      numeral={2}
      title="How you get in"
      line="The secret answer confirms it is you when you change your password."
    >
      <div className={grid.grid}>
        <NewPasswordField
          label="Password"
          password={watch('userPassword') ?? ''}
          userId={watch('userId') ?? ''}
          error={errors.userPassword?.message}
          {...register('userPassword')}
        />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          error={errors.userPasswordConfirm?.message}
          {...register('userPasswordConfirm')}
        />
        <SelectField label="Secret Question" error={errors.secretQuestion?.message} {...register('secretQuestion')}>
          <option value="">Choose a question</option>
          {SECRET_QUESTIONS.map((question, index) => (
            <option key={question} value={index + 1}>
              {question}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Secret Answer"
          maxLength={SECRET_ANSWER_MAX}
          autoComplete="off"
          error={errors.secretAnswer?.message}
          {...register('secretAnswer')}
        />
      </div>
    </SheetPart>
  )
}

const COUNTRIES = listCountries()

/** Part 3: country and terms. */
export function LastThing({ form: { register, formState } }: PartProps) {
  const { errors } = formState
  return (
    <>
      <div className={grid.grid}>
        <SelectField
          label="Country"
          hint="optional"
          autoComplete="country"
          error={errors.country?.message}
          {...register('country')}
        >
          <option value="">No country</option>
          {COUNTRIES.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <Terms />
      <Checkbox
        label="I have read and accept the terms of use"
        error={errors.agreeTerms?.message}
        {...register('agreeTerms')}
      />
    </>
  )
}
