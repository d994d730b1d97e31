import styles from './upload-progress.module.css'

type Props = { /** How much has left, 0 to 1; null while nothing is on its way. */ progress: number | null }

/** How far a form with pictures is on its way; calm when it is short. Its phases are read out, not every step. */
export function UploadProgress({ progress }: Props) {
  const percent = Math.round((progress ?? 0) * 100)
  const words = progress === null ? '' : percent < 100 ? 'Sending' : 'Sent. One moment'
  return (
    <div className={styles.progress} data-on={progress !== null || undefined}>
      <p role="status">{words}</p>
      {progress !== null && (
        <span
          className={styles.bar}
          role="progressbar"
          aria-label="Sending"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ width: `${percent}%` }} />
        </span>
      )}
    </div>
  )
}
