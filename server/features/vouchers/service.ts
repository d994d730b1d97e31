/** What commands use of vouchers. */
export { mintVouchers, reportReferrals } from './mint.ts'
