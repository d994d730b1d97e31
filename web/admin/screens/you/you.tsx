import layout from '#web/ui/layout.module.css'
import deskLayout from '../../kit/desk-layout.module.css'
import { ScreenHead } from '../../kit/screen.tsx'
import { StaffNameForm } from '../../kit/staff-name-form.tsx'
import { useMe } from '../../me.ts'

/** Edits the name that players see for the operator. */
export function Screen() {
  const me = useMe()
  return (
    <>
      <ScreenHead title="You" line={`You are logged in as ${me.user_id}. Players never see this ID.`} />
      <div className={`${layout.panels} ${deskLayout.narrow}`}>
        <StaffNameForm
          key={me.staff_name}
          title={`Players know you as ${me.staff_name}`}
          userNum={me.user_num}
          name={me.staff_name}
        />
      </div>
    </>
  )
}
