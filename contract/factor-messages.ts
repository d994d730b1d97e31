/** What second factors say. The specification leaves these texts to us. */
export const FACTOR = {
  asked: 'Please confirm it’s you with your second factor.',
  wrongCode: 'This code is not correct. Please try again.',
  wrongPasskey: 'This passkey did not work. Please try again.',
  locked: 'Too many wrong codes. Please try again in 15 minutes.',
  lockedButPasskey: 'Too many wrong codes. Please use your passkey, or try again in 15 minutes.',
  loginOver: 'This login took too long or was already completed. Please log in again.',
  codeOrPasskey: 'Please enter a code or use a passkey.',

  confirmFirst: 'Please confirm it’s you first.',
  confirmed: 'Thank you. You can continue.',
  passkeyFailed: 'This passkey did not work. Please try again, or use your password.',
  passkeyUnreadable: 'The passkey’s answer could not be read.',
  passwordOrPasskey: 'Please enter your password or use a passkey.',

  setUpOver: 'This took too long. Please start again.',
  appCodeWrong: 'This code is not correct. Please look at the app again; each code works for half a minute.',
  passkeyNotAdded: 'This passkey could not be added. Please start again.',
  passkeyKnown: 'This passkey is already registered here.',
  passkeysFull: 'You have ten passkeys. Please remove one first.',
  noPasskeysHere: 'This site cannot use passkeys at its current address.',
  nameLabel: 'Name',
  codeLabel: 'Code',
  notThere: 'This is no longer one of your second factors.',
  noFactor: 'Recovery codes need an app or a passkey first.',
  staffNeedsOne:
    'You work at the desk, which requires a second factor. Please add another one before you remove this one.',
  removed: 'The second factor has been removed.',
  lastRemoved: 'The second factor has been removed. You can now log in with just your password.',
} as const
