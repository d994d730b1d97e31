import { setStaffName, staffNameFields } from '#contract/staff.ts'
import { DeskForm } from './desk-form.tsx'

/** Edits an operator's public name, shown on answers to tickets, in the forum and on news. */
export function StaffNameForm(props: { userNum: number; name: string; title?: string; onClose?: () => void }) {
  const { userNum, name, title, onClose } = props
  return (
    <DeskForm
      endpoint={setStaffName}
      fields={staffNameFields}
      show={['name']}
      values={{ user_num: userNum, name }}
      submitLabel="Save the name"
      {...(title !== undefined && { title })}
      successMessage="Saved."
      {...(onClose && { onDone: onClose, onCancel: onClose })}
    />
  )
}
