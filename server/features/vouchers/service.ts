/** What commands use of vouchers. */
export { type Batch, mintVouchers, reportReferrals } from './mint.ts'
