-- Precondition: 0005.
create index carrier_calls_express on carrier_calls (express_id, id desc) where express_id is not null;
comment on index carrier_calls_express is 'The calls about a parcel, newest first (features/parcels/calls.ts).';
