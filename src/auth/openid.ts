/**
 * What is used of openid-client. It is loaded when it is called for, and of a package that is loaded
 * by itself a bundle keeps everything: three times as much.
 */
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
