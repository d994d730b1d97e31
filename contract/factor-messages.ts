/** What second factors say. The specification leaves these texts to us. */
export const FACTOR = {
  asked: 'Please confirm that it is you with your second factor.',
  wrongCode: 'This code did not fit. Please try again.',
  wrongPasskey: 'This passkey did not fit. Please try again.',
  locked: 'Too many wrong codes. Please try again in 15 minutes.',
  lockedButPasskey: 'Too many wrong codes. Please use your passkey, or try again in 15 minutes.',
  loginOver: 'This login took too long or was finished already. Please log in again.',
  codeOrPasskey: 'Please enter a code or use a passkey.',

  confirmFirst: 'Please confirm that it is you first.',
  confirmed: 'Thank you. You can go on.',
  passkeyFailed: 'This passkey did not fit. Please try again, or use your password.',
  passkeyUnreadable: 'The answer of the passkey cannot be read.',
  passwordOrPasskey: 'Please enter your password or use a passkey.',

  setUpOver: 'This took too long. Please start again.',
  appCodeWrong: 'This code did not fit. Please look at the app again; each code is good for half a minute.',
  passkeyNotAdded: 'This passkey could not be added. Please start again.',
  passkeyKnown: 'This passkey is already known here.',
  passkeysFull: 'You have ten passkeys. Please remove one first.',
  noPasskeysHere: 'This site cannot use passkeys at its present address.',
  nameLabel: 'Name',
  codeLabel: 'Code',
  notThere: 'This is not one of your second factors any more.',
  noFactor: 'Recovery codes need an app or a passkey first.',
  staffNeedsOne:
    'You work at the desk, which asks for a second factor. Please add another one before you remove this one.',
  removed: 'The second factor has been removed.',
  lastRemoved: 'The second factor has been removed. Your password alone opens your account now.',
} as const
