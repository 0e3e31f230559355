import { notApplicable } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const noWebRtc = 'The product has no WebRTC, no media and no signaling.';

export const v17: Chapter = {
  id: 'V17',
  name: 'WebRTC',
  verdicts: {
    '17.1.1': notApplicable('TURN reaches no reserved addresses', noWebRtc),
    '17.2.1': notApplicable('Keys of DTLS are managed', noWebRtc),
    '17.2.2': notApplicable('DTLS uses approved cipher suites', noWebRtc),
    '17.2.3': notApplicable('SRTP is authenticated', noWebRtc),
    '17.2.4': notApplicable('Malformed SRTP does no harm', noWebRtc),
    '17.3.1': notApplicable('A flood of signaling does no harm', noWebRtc),
    '17.3.2': notApplicable('Malformed signaling does no harm', noWebRtc),
  },
};
