import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { setReceipts } from '#contract/cart.ts'
import { call } from '#web/api/call.ts'
import { alertCall } from '#web/features/cart/alert-call.ts'
import { showToast } from '#web/ui/toast.ts'
import { receiptsQuery } from './queries.ts'
import styles from './receipts-switch.module.css'

/** Whether a receipt of each purchase is mailed. Answers at once and goes back when the call fails. */
export function ReceiptsSwitch({ userNum }: { userNum: number }) {
  const client = useQueryClient()
  const choice = receiptsQuery(userNum)
  const { data } = useQuery(choice)
  const change = useMutation({
    mutationFn: (wanted: boolean) => call(setReceipts, { wanted }),
    onMutate: (wanted) => client.setQueryData(choice.queryKey, { wanted }),
    onSuccess: ({ message }) => void showToast('done', message),
    onError: (error, wanted) => {
      client.setQueryData(choice.queryKey, { wanted: !wanted })
      alertCall(error)
    },
  })
  return (
    <button
      type="button"
      role="switch"
      aria-checked={data?.wanted === true}
      aria-disabled={data === undefined || change.isPending}
      className={styles.switch}
      onClick={() => {
        if (data !== undefined && !change.isPending) change.mutate(!data.wanted)
      }}
    >
      Mail me receipts
      <span className={styles.track} aria-hidden="true" />
    </button>
  )
}
