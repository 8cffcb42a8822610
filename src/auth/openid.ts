/** A bundle keeps all of a package that is imported as a whole: three times as much as this. */
export {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  genericGrantRequest,
  initiateDeviceAuthorization,
  modifyAssertion,
  None,
  PrivateKeyJwt,
  tokenRevocation,
} from 'openid-client';
