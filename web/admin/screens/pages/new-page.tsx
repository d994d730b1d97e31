import { useNavigate } from 'react-router'
import { createPage, newPageFields } from '#contract/desk-documents.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { RecordPage } from '../../kit/screen.tsx'

/** Creates a free page, such as a list of the staff (PAGE-6). */
export function Screen() {
  const navigate = useNavigate()
  return (
    <RecordPage back={{ to: '/admin/pages', label: 'Pages' }} title="New page">
      <DeskForm
        endpoint={createPage}
        fields={newPageFields}
        values={{ title: '', address: '' }}
        submitLabel="Create the draft"
        successMessage={null}
        onDone={({ item }) => void navigate(`/admin/pages/${item.name}`)}
        show={() => ['title', 'address']}
      />
    </RecordPage>
  )
}
