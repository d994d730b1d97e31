import type { PrizeState } from '#contract/prizes.ts'
import type { States } from './facts.tsx'

/** The badges of prizes that a tournament or a league has sent. */
export const PRIZE_STATES: States<PrizeState> = {
  open: ['Not claimed yet', 'calm'],
  claimed: ['Claimed', 'good'],
  withdrawn: ['Withdrawn', 'off'],
}

/** The label and the confirmation of the button that withdraws the prize of a winner. */
export const createWithdrawalProps = (name: string) =>
  ({
    label: 'Withdraw',
    about: `the prize of ${name}`,
    tone: 'danger',
    confirmation: {
      title: `Withdraw the prize of ${name}?`,
      action: 'Withdraw it',
      text: 'The letter stays in the mail box, but its gift can no longer be claimed. A gift that was already claimed is not taken back.',
      reason: 'required',
    },
  }) as const
