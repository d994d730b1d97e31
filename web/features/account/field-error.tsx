import styles from '#web/ui/field.module.css'

/** What is wrong, under a field that is no text field. */
export function FieldErrorText({ id, children }: { id: string; children: string }) {
  return (
    <p className={styles.error} id={id}>
      <svg width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
        <path fill="currentColor" fillRule="evenodd" d="M10 0 20 18H0ZM9 6v6h2V6Zm0 7.5v2h2v-2Z" />
      </svg>
      {children}
    </p>
  )
}
