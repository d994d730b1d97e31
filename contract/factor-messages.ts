/** What second factors say. The specification leaves these texts to us. */
export const FACTOR = {
  confirmed: 'Thank you. You can go on.',
  passkeyFailed: 'This passkey did not fit. Please try again, or use your password.',
  passkeyUnreadable: 'The answer of the passkey cannot be read.',
  passwordOrPasskey: 'Please enter your password or use a passkey.',
} as const
