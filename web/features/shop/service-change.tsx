import styles from './service-change.module.css'

type ServiceChangeProps = { before: string; after: string }

/** A character before and after a service. */
export function ServiceChange({ before, after }: ServiceChangeProps) {
  return (
    <dl className={styles.change}>
      <div>
        <dt>Before</dt>
        <dd>{before}</dd>
      </div>
      <div>
        <dt>After</dt>
        <dd>{after}</dd>
      </div>
    </dl>
  )
}
