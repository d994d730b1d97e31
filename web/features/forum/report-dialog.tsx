import { FORUM_REPORT_TEXT_MAX, REPORT_REASONS, reportPost } from '#contract/forum.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
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
    <FormDialog
      open
      onClose={onClose}
      title="Report this post"
      form={form.form}
      submitLabel="Report"
      busy={form.busy}
      failure={form.failure}
    >
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
    </FormDialog>
  )
}
