import { SUPPORT_NAME_MAX } from '#contract/limits.ts'
import { setStaffName } from '#contract/staff.ts'
import { TextField } from '#web/ui/field.tsx'
import { DeskForm } from './desk-form.tsx'

/** The name under which players know somebody: on answers to tickets, in the forum and as the writer of news. */
export function StaffNameForm({ userNum, name, onClose }: { userNum: number; name: string; onClose?: () => void }) {
  return (
    <DeskForm
      endpoint={setStaffName}
      values={{ user_num: userNum, name }}
      submit="Save the name"
      done="Saved."
      {...(onClose && { onDone: onClose, onCancel: onClose })}
    >
      {({ field }) => (
        <TextField
          label="Name for players"
          hint="on answers to tickets, in the forum, and on news you write"
          maxLength={SUPPORT_NAME_MAX}
          {...field('name')}
        />
      )}
    </DeskForm>
  )
}
