import type { ComponentProps } from 'react'
import { SECRET_QUESTIONS } from '#contract/accounts.ts'
import { USER_ID_MAX, USER_ID_MIN } from '#contract/limits.ts'
import { TextField } from '#web/ui/field.tsx'
import { SelectField } from './fields.tsx'

/** The field for the user ID of a new account. */
export function UserIdField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="User ID"
      hint={`${USER_ID_MIN} to ${USER_ID_MAX}: A–Z, a–z, 0–9, _`}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
    />
  )
}

type SecretFieldsProps = {
  field: (
    name: 'secretQuestion' | 'secretAnswer',
  ) => Omit<ComponentProps<typeof SelectField>, 'label'> & Omit<ComponentProps<typeof TextField>, 'label'>
}

/** The fields for the secret question of a new account and its answer. */
export function SecretFields({ field }: SecretFieldsProps) {
  return (
    <>
      <SelectField label="Secret Question" {...field('secretQuestion')}>
        <option value="">Choose a question</option>
        {SECRET_QUESTIONS.map((question, index) => (
          <option key={question} value={index + 1}>
            {question}
          </option>
        ))}
      </SelectField>
      <TextField label="Secret Answer" autoComplete="off" {...field('secretAnswer')} />
    </>
  )
}
