import { useState } from 'react'
import styles from './field.module.css'
import { TextField, type TextFieldProps } from './field.tsx'

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'inside'>) {
  const [isShown, setIsShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      inside={
        <button type="button" className={styles.toggle} aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
          <span className="visually-hidden">Show password</span>
          <svg
            width="24"
            height="24"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            aria-hidden="true"
          >
            <path d="M2 12q10-14 20 0-10 14-20 0Z" />
            <circle cx="12" cy="12" r="3" fill={isShown ? 'currentColor' : 'none'} />
            {!isShown && <path d="M4 20 20 4" />}
          </svg>
        </button>
      }
    />
  )
}
