import { FORUM_REPORT_TEXT_MAX, REPORT_REASONS, reportPost } from '#contract/forum.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'

/** Reports a post to the moderators, with a reason. */
export function ReportDialog({ post, onClose }: { post: number; onClose: () => void }) {
  const form = useCallForm(reportPost, {
    defaultValues: { words: '' },
    input: (values) => ({ post, ...values }),
    onDone: ({ message }) => {
      onClose()
      void showToast('done', message)
    },
  })
  return (
    <DialogWindow open onClose={onClose} title="Report this post">
      <form {...form.form} className={layout.stack}>
        <SelectField label="What is wrong?" {...form.field('reason')}>
          <option value="">Choose…</option>
          {Object.entries(REPORT_REASONS).map(([reason, label]) => (
            <option key={reason} value={reason}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextArea
          label="Anything to add?"
          rows={3}
          text={form.watch('words') ?? ''}
          limit={FORUM_REPORT_TEXT_MAX}
          {...form.field('words')}
        />
        {form.failure !== null && <p role="alert">{form.failure}</p>}
        <div className={layout.buttons}>
          <Button type="submit" tone="paper" busy={form.busy}>
            Report
          </Button>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </DialogWindow>
  )
}
